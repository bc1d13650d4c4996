#!/bin/sh
# long
# A leak planted in one line of a web application, under load, with as many workers as an operator
# has: that line is what `pmem leaks` tells first, and the tree of `report` reads as the
# application's own. Flask in gunicorn, Sinatra in puma.
# of whole stacks

. "$PMEM_ROOT/tests/lib/real.sh"
. "$PMEM_ROOT/tests/lib/load.sh"
needs ab apache2-utils
[ -x /usr/bin/gunicorn ] && /usr/bin/python3 -c 'import flask' 2>/dev/null || {
	echo "skipped: needs gunicorn python3-flask"
	exit 77
}
[ -x /usr/bin/puma ] && ruby -e 'require "sinatra/base"; exit!(true)' 2>/dev/null || {
	echo "skipped: needs puma ruby-sinatra"
	exit 77
}

mkdir python ruby
cat >python/shop.py <<'END'
import zlib
from flask import Flask
app = Flask(__name__)
kept = []
def remember(n):
    kept.append(bytearray(n))
def work(n):
    return zlib.compress(bytes(range(256)) * n)
@app.route("/buy")
def buy():
    remember(9000)
    return str(len(work(40)))
END
cat >ruby/config.ru <<'END'
require "sinatra/base"
class Shop < Sinatra::Base
  set :environment, :production
  KEPT = []
  def remember(n)
    KEPT << "x" * n
  end
  get "/buy" do
    remember(9000)
    (1..200).map { |i| "item #{i} " * 4 }.join.size.to_s
  end
end
run Shop
END

load python gunicorn -w 2 -b 127.0.0.1:PORT shop:app
tells python 'shop.py:6 in remember' 'Flask.wsgi_app  ' 'buy  shop.py:11' 'remember  shop.py:6'
load ruby puma -w 2 -t 4:4 -b tcp://127.0.0.1:PORT config.ru
tells ruby 'config.ru:6 in Shop#remember' 'Shop#remember  config.ru:6'
