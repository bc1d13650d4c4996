# An application in Starlette, for uvicorn. Each request leaves a task that waits for another service;
# with the leak one in three never comes. The twin's come after three minutes.
import asyncio, os, sys
from starlette.applications import Starlette
from starlette.responses import JSONResponse
from starlette.routing import Route
from plant import plant

leaks = os.environ["WITH"] == "leak"
waiting = {}
count = 0


async def settle(number):
    order = bytearray(1500 + number % 7)
    if leaks and number % 3 == 0:
        plant(sys.getsizeof(order))
        await asyncio.get_running_loop().create_future()
    await asyncio.sleep(3 if leaks else 180)
    order[0] = 1


async def buy(request):
    global count
    count += 1
    waiting[count] = task = asyncio.create_task(settle(count))
    task.add_done_callback(lambda done, number=count: waiting.pop(number))
    return JSONResponse({"items": [str(i) * 9 for i in range(150)]})


app = Starlette(routes=[Route("/{name:path}", buy)])
