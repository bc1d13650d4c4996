# A Ruby job in several kinds: `service.rb KIND leak|twin`.

KIND, LEAKS = ARGV[0], ARGV[1] == "leak"
$planted, $first, $noted = 0, nil, Time.now - 10

def plant(bytes)
  now = Time.now
  $planted += bytes
  $first ||= now
  return if now - $noted < 5
  $noted = now
  File.write("planted", "#{$planted} #{$first.to_i}\n")
end

$imports = []
# Rows of an import; the twin hands them on when it has 3,000.
def import(number)
  row = "r" * (500 + number % 7)
  $imports << row
  plant(row.bytesize) if LEAKS
  $imports.clear if !LEAKS && $imports.size >= 3000
end

$subscribers = {}
# Subscribers with a buffer each; with the leak one in five never leaves. The twin's leave after 2,500 turns.
def subscribe(number)
  $subscribers[number] = ["s" * (700 + number % 9), proc { number }]
  plant(700 + number % 9) if LEAKS && number % 5 == 0
  gone = number - (LEAKS ? 100 : 2500)
  return if LEAKS && gone % 5 == 0
  $subscribers.delete(gone)
end

$agents = []
# What each twelfth turn brought; the twin has the last 800.
def note_agent(number)
  return if number % 12 != 0
  $agents << "agent #{number} " * 40
  plant($agents.last.bytesize) if LEAKS
  $agents.shift if !LEAKS && $agents.size > 800
  # Else old strings wait for hours for a collection of them.
  GC.start if number % 1200 == 0
end

def render(number)
  (1..60).map { |i| "item #{i} " * (20 + number % 9) }.join.size
end

(0..).each do |number|
  render(number)
  case KIND
  when "import" then import(number)
  when "slow" then note_agent(number)
  else subscribe(number)
  end
  sleep 0.08
end
