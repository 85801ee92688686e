"""A journey for Locust: each user logs in once, then asks."""

from locust import FastHttpUser, task


class Customer(FastHttpUser):
    def on_start(self):
        login = self.client.post("/login", json={"user": "ada"})
        self.headers = {"authorization": f"Bearer {login.json()['token']}"}

    @task
    def orders(self):
        self.client.get("/orders", headers=self.headers)
