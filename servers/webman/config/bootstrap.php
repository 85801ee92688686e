<?php

return [app\World::class];
