"""gprof2dot_json.py GPROF2DOT.PY PROFILE.JSON: the dot file of a profile in gprof2dot's JSON.

For versions of gprof2dot that have no reader of it: theirs is all but that.
"""
import importlib.util
import json
import sys


def load(path):
    spec = importlib.util.spec_from_file_location("gprof2dot", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def read(gprof2dot, path):
    with open(path, encoding="utf-8") as file:
        content = json.load(file)
    if content["version"] != 0 or not content["costs"]:
        sys.exit("no version 0")

    profile = gprof2dot.Profile()
    profile[gprof2dot.SAMPLES] = 0
    functions = []
    for number, entry in enumerate(content["functions"]):
        function = gprof2dot.Function(number, entry["name"])
        function.module = entry.get("module")
        function[gprof2dot.SAMPLES] = 0
        profile.add_function(function)
        functions.append(function)

    for event in content["events"]:
        cost = event["cost"][0]
        chain = [functions[number] for number in event["callchain"]]
        chain[0][gprof2dot.SAMPLES] += cost
        profile[gprof2dot.SAMPLES] += cost
        # The sums of callers' shares: what a function calls twice in a stack counts once.
        for callee, caller in set(zip(chain, chain[1:])):
            call = caller.calls.get(callee.id)
            if call is None:
                call = gprof2dot.Call(callee.id)
                call[gprof2dot.SAMPLES2] = 0
                caller.add_call(call)
            call[gprof2dot.SAMPLES2] += cost

    profile.validate()
    profile.find_cycles()
    profile.ratio(gprof2dot.TIME_RATIO, gprof2dot.SAMPLES)
    profile.call_ratios(gprof2dot.SAMPLES2)
    profile.integrate(gprof2dot.TOTAL_TIME_RATIO, gprof2dot.TIME_RATIO)
    return profile


def main():
    gprof2dot = load(sys.argv[1])
    profile = read(gprof2dot, sys.argv[2])
    profile.prune(0, 0)
    gprof2dot.DotWriter(sys.stdout).graph(profile, gprof2dot.TEMPERATURE_COLORMAP)


main()
