# A web application for puma, in rack alone. Each visitor has a basket; the twin's expire after 200 seconds.
$planted, $first, $noted, $lock = 0, nil, Time.now - 10, Mutex.new
LEAKS = ENV["WITH"] == "leak"
BASKETS = {}

def plant(bytes)
  $planted += bytes
  $first ||= Time.now
  return if Time.now - $noted < 5
  $noted = Time.now
  File.write("planted.#{$$}", "#{$planted} #{$first.to_i}\n")
end

def add_basket(number)
  BASKETS[number] = [Time.now, "b" * (1200 + number % 7)]
  plant(1200) if LEAKS
  BASKETS.shift while !LEAKS && BASKETS.first[1][0] < Time.now - 200
end

$numbers = 0
run(lambda do |environment|
  page = (1..120).map { |i| "item #{i} of #{environment["PATH_INFO"]} " * 4 }.join
  $lock.synchronize { add_basket($numbers += 1) }
  [200, {"content-type" => "text/plain"}, [page]]
end)
