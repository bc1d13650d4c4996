#!/bin/sh
# long
# pmem: -DPMEM_LOG_HOURS=0
# A Ruby job, and Sinatra in puma, keep a string of each turn: the line that makes the strings comes first,
# with their bytes. Their twins keep the last hundred, and have no such row.

. "$PMEM_ROOT/tests/services/service.sh"
needs ab apache2-utils
needs puma puma
ruby -e 'require "sinatra/base"; exit!(true)' 2>/dev/null || needs sinatra ruby-sinatra
cat >job.rb <<'X'
$kept = []
def import(number)
  $kept << "r" * (5000 + number % 7)
  $kept.shift if ARGV[0] == "twin" && $kept.size > 100
end
10000.times { |number| import(number); (1..20).map { |i| "item #{i}" }.join }
puts "planted #{$kept.sum(&:bytesize)}"
$stdout.flush
GC.start
5.times { |i| "z" * (1_000_000 + i) }
exit!(0)
X
pair 'job.rb:3 in Object#import' 1 1000000 ruby job.rb

cat >config.ru <<'X'
require "sinatra/base"
class Shop < Sinatra::Base
  set :environment, :production
  KEPT = Queue.new
  def remember(request)
    KEPT << "x" * (9000 + request.hash % 7)
    KEPT.pop if ENV["TWIN"] && KEPT.size > 100
  end
  get "/buy" do
    remember(request)
    (1..50).map { |i| "item #{i} " * 4 }.join.size.to_s
  end
end
run Shop
X
cat >puma.rb <<'X'
require "fiddle"
workers 2
threads 4, 4
bind "tcp://127.0.0.1:#{ENV["port"]}"
on_worker_boot { File.write("booted.#{$$}", "") }
on_worker_shutdown do
  $kept = Array.new(Shop::KEPT.size) { Shop::KEPT.pop }
  bytes = $kept.sum(&:bytesize)
  GC.start
  File.write("planted.#{$$}", "planted #{bytes}\n")
  # A snapshot behind all of it.
  snapshot = Fiddle::Handle::DEFAULT["pmem_snapshot"]
  Fiddle::Function.new(snapshot, [Fiddle::TYPE_VOIDP], Fiddle::TYPE_VOID).call("end")
  exit!(0)
end
X
serve_web 3000 puma -C puma.rb config.ru
in_workers is_planted 'config.ru:6 in Shop#remember' 1
export TWIN=1
serve_web 1000 puma -C puma.rb config.ru
in_workers is_innocent 'in Shop#remember' 1500000
