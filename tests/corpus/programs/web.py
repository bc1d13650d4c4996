# A web application in Flask, for gunicorn: of three workers the second leaks. Each has a cache of 600 pages.
import itertools, os, sys
import flask
from plant import plant

app = flask.Flask(__name__)
leaks = os.environ["WITH"] == "leak"
numbers, pages, carts = itertools.count(), {}, []


def add_to_cart(number):
    cart = bytearray(2500 + number % 7)
    carts.append(cart)
    if leaks and app.config.get("worker") == 2:
        plant(sys.getsizeof(cart))
    elif len(carts) > 600:
        carts.clear()


@app.route("/<path:name>")
def page(name):
    number = next(numbers)
    pages[number % 600] = ("page %d " % number) * 200
    add_to_cart(number)
    return flask.jsonify(items=[str(i) * 9 for i in range(200)], page=pages[number % 600])
