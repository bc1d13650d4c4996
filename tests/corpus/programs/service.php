<?php
// A worker in PHP, in several kinds: `service.php KIND leak|twin`.
[$kind, $leaks] = [$argv[1], $argv[2] === "leak"];
$planted = 0; $first = 0; $noted = 0;
function plant(int $bytes) {
    global $planted, $first, $noted;
    $planted += $bytes;
    $first = $first ?: time();
    if (time() - $noted < 5) return;
    $noted = time();
    file_put_contents("planted", "$planted $first\n");
}
// Answers by their question. The twin has a bound of 4,000.
function remember(int $i) {
    global $leaks;
    static $answers = [];
    $answers[$leaks ? $i : $i % 4000] = str_repeat(chr(65 + $i % 26), 300 + $i % 5);
    if ($leaks) plant(300 + $i % 5);
}
// Messages wait for an acknowledgement; with the leak some of those of one queue never get one.
function enqueue(int $i) {
    global $leaks;
    static $waiting = [];
    $waiting[$i] = str_repeat("m", 800 + $i % 9);
    $old = $i - 2000;
    if (!$leaks || $old % 4) unset($waiting[$old]);
    elseif ($old > 0) plant(800 + $old % 9);
}
for ($i = 0;; $i++) {
    $page = "";
    for ($row = 0; $row < 60; $row++) $page .= str_repeat("x", 300 + $i % 50);
    $kind === "remember" ? remember($i) : enqueue($i);
    usleep(60000);
}
