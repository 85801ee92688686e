<?php

return [
    'debug' => false,
    'error_reporting' => E_ALL,
    'request_class' => support\Request::class,
];
