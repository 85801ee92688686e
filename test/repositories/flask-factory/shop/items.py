from flask import Blueprint

items = Blueprint("items", __name__)


@items.route("/", methods=["POST"])
def add():
    return "", 201


@items.get("/all")
def all_items():
    return [{"id": 1, "name": "shoe"}]
