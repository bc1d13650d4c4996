bind, workers, wsgi_app = "127.0.0.1:8000", 3, "web:app"


def post_worker_init(worker):
    worker.app.wsgi().config["worker"] = worker.age
