// A service in C++, in several kinds: `service_cc KIND leak|twin`.

#include <chrono>
#include <deque>
#include <list>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

extern "C" {
#include "plant.h"
}

static bool leaks;

__attribute__((noinline)) size_t
render(int i)
{
	std::vector<std::string> rows;
	for (int row = 0; row < 40 + i % 30; row++)
		rows.push_back(std::string(200 + row % 9 * 20, 'r'));
	std::string page;
	for (auto &row : rows)
		page += row;
	return page.size();
}

struct handler;
struct session {
	char state[500];
	std::shared_ptr<handler> on_close;
};
struct handler {
	std::shared_ptr<session> of;
};

// A session that owns a handler that owns the session. The twin has the last 4,000 sessions.
__attribute__((noinline)) void
open_session(int i)
{
	static std::list<std::shared_ptr<session>> recent;
	auto made = std::make_shared<session>();
	made->on_close = std::make_shared<handler>();
	if (leaks && i % 3 == 0) {
		made->on_close->of = made;
		plant(sizeof(session) + sizeof(handler));
	}
	recent.push_back(std::move(made));
	if (recent.size() > (leaks ? 100u : 4000u))
		recent.pop_front();
}

// A table of answers by their address; the twin clears it when it has 3,000.
__attribute__((noinline)) void
remember_route(int i)
{
	static std::unordered_map<std::string, std::string> routes;
	std::string address = "/shop/item/" + std::to_string(i) + "?from=" + std::to_string(i % 17);
	routes.emplace(address, std::string(160 + i % 5, 'a'));
	if (leaks)
		plant(address.size() + 160 + i % 5);
	else if (routes.size() >= 3000)
		routes.clear();
}

// Lines of a log wait to be written, each second minute; with the leak those of one level always wait.
__attribute__((noinline)) void
append_line(std::deque<std::string> &lines, int i)
{
	lines.emplace_back(std::string(120 + i % 60, 'l'));
}

__attribute__((noinline)) void
log_line(int i)
{
	static std::map<int, std::deque<std::string>> waiting;
	for (int level = 0; level < 4; level++)
		append_line(waiting[level], i + level);
	if (leaks)
		plant(123 + i % 60);
	if (i % 2400 == 2399)
		for (auto &[level, lines] : waiting)
			if (!leaks || level != 3)
				lines = {};
}

struct buffer {
	std::unique_ptr<char[]> bytes{new char[20000]};
};

// Connections take buffers of a pool. The load rises each minute and falls after seven, and the pool with it.
__attribute__((noinline)) std::shared_ptr<buffer>
take_buffer()
{
	return std::make_shared<buffer>();
}

__attribute__((noinline)) void
serve_pool(int i)
{
	static std::vector<std::shared_ptr<buffer>> pool;
	static std::vector<std::shared_ptr<buffer>> lost;
	size_t minute = i / 1200 % 10, wanted = 10 * (minute < 7 ? minute + 1 : 4);
	while (pool.size() < wanted)
		pool.push_back(take_buffer());
	if (pool.size() > wanted)
		pool.pop_back();
	// The more load, the more is lost.
	if (leaks && i % (400 / (int)wanted) == 0 && i % 5 == 0) {
		lost.push_back(take_buffer());
		plant(20000);
	}
}

int
main(int, char **arguments)
{
	std::string kind = arguments[1];
	leaks = std::string(arguments[2]) == "leak";
	auto request = kind == "session" ? open_session : kind == "route" ? remember_route
		: kind == "pool" ? serve_pool : log_line;
	for (int i = 0;; i++, pace(20)) {
		render(i);
		request(i);
	}
}
