<?php

$port = getenv('PORT');

return [
    'listen' => 'http://' . getenv('HOST') . ":$port",
    'name' => 'webman',
    'count' => cpu_count() * 4,
    // Several of them may run in this folder.
    'pid_file' => runtime_path("$port.pid"),
    'status_file' => runtime_path("$port.status"),
    'stdout_file' => '/dev/null',
    'log_file' => '/dev/null',
];
