from flask import Flask


def create_app():
    from .items import items

    app = Flask(__name__)
    app.register_blueprint(items, url_prefix="/items")
    return app
