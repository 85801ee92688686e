<?php

use Webman\Route;

Route::get('/', fn () => response('Hello World!', 200, ['Content-Type' => 'text/plain; charset=utf-8']));
Route::get('/json', fn () => json(['hello' => 'world']));
Route::get('/db', fn () => json(app\World::one()));
