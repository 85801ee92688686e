<?php

chdir(__DIR__);
require __DIR__ . '/vendor/autoload.php';
support\App::run();
