<?php

return [
    'default' => [
        'handlers' => [
            ['class' => Monolog\Handler\StreamHandler::class, 'constructor' => ['php://stderr', Monolog\Logger::ERROR]],
        ],
    ],
];
