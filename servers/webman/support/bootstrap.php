<?php

// The framework asks each worker for this file.
require base_path('vendor/workerman/webman-framework/src/support/bootstrap.php');
