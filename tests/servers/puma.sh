#!/bin/sh
# puma with a sinatra application: two workers, threads, a handler that keeps a string; a phased
# restart (USR1); an application that throws.

. "$PMEM_ROOT/tests/servers/server.sh"
needs ruby ruby
needs puma puma
ruby -e 'require "sinatra/base"' 2>/dev/null || {
	echo "skipped: needs ruby-sinatra"
	exit 77
}
needs_module json python3
# The start alone has more than 60,000 stacks.
may_lose="table_full slots_shared"

cat >config.ru <<'END'
require "sinatra/base"
require "digest"
require "json"
require "zlib"

class App < Sinatra::Base
  set :environment, :production
  set :show_exceptions, false
  set :raise_errors, false
  set :dump_errors, false
  KEPT = []

  # No repeated string: that would have the stack of those that are kept.
  get("/hash/:name") { Digest::SHA256.hexdigest(params[:name].center(1000)) }
  get("/json") do
    n = params[:n].to_i
    Zlib::Inflate.inflate(Zlib::Deflate.deflate(
      (0...100).map { |i| { i: i, text: "x" * (i * n % 97) } }.to_json))
  end
  get("/keep") do
    KEPT << ("k" * 9000) # and a byte for its end
    "kept"
  end
  get("/throw") { raise "on purpose" }
end

run App
END

tidy() {
	# Process ids, ports, times; which of several workers says it first.
	sed 's/^\[[0-9]*\]/[N]/; s/\(PID\|pid\): [0-9]*/pid N/; s/:[0-9]\{4,5\}\b/:N/; s/in [0-9.]*s/in N s/
		s/\(Stopping\|sent to\) [0-9]*/\1 N/; s/shutdown: .*/shutdown/' | sort
}

begin() {
	port=$(free_port)
	start puma -w 2 -t 2:4 -e production -b "tcp://127.0.0.1:$port" "$here/config.ru"
	wait_for "puma to answer" http_answers /hash/ready
	wait_for "two workers" eval '[ "$(grep -c "booted in" "$side.out")" -eq 2 ]'
	workers=$(children_of "$server")
	# shellcheck disable=SC2086
	must_log "$server" $workers
}

main_load() {
	loaded pages http 8 $((4000 / part)) "/hash/n{i}" "/json?n={i}" "/keep?n={i}" "/nothing?n={i}"
}

finish() {
	stop TERM
}

work() {
	begin
	main_load
	loaded throw http 2 50 "/throw?n={i}"
	kill -USR1 "$server"
	wait_for "two more workers" eval '[ "$(grep -c "booted in" "$side.out")" -eq 4 ]'
	# As many clients as both workers have threads: neither is left idle.
	loaded again http 8 2000 "/json?n={i}" "/hash/again{i}"
	# shellcheck disable=SC2046
	must_log $(children_of "$server")
	finish
}

after_logs() {
	planted 1000 9001
}

judge "6,050 answers of 2 workers, a leak, exceptions, USR1, exits"
