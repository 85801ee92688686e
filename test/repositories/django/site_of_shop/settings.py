from pathlib import Path

SECRET_KEY = "of no secret"
ALLOWED_HOSTS = ["127.0.0.1"]
ROOT_URLCONF = "site_of_shop.urls"
INSTALLED_APPS = ["items"]
DATABASES = {
    "default": {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": Path(__file__).parent.parent / "db.sqlite3",
    }
}
