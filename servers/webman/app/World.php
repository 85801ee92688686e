<?php

namespace app;

use PDO;
use PDOStatement;
use Webman\Bootstrap;

/** The table of one worker. Without an address, every route but /db is served. */
class World implements Bootstrap
{
    private const ROWS = 10_000;

    private static PDOStatement $one;

    public static function start($worker)
    {
        $database = getenv('PGDATABASE');
        if ($database === false) {
            return;
        }
        // libpq takes the rest of the address from the environment.
        $connection = new PDO("pgsql:dbname=$database", null, null, [PDO::ATTR_DEFAULT_FETCH_MODE => PDO::FETCH_ASSOC]);
        self::make($connection);
        self::$one = $connection->prepare('SELECT id, number FROM world WHERE id = ?');
    }

    /** @return array{id: int, number: int} */
    public static function one(): array
    {
        self::$one->execute([random_int(1, self::ROWS)]);
        return self::$one->fetch();
    }

    /** All workers start at once; the first makes the table. */
    private static function make(PDO $connection): void
    {
        $connection->exec(sprintf(
            'DO $$ BEGIN
                PERFORM pg_advisory_xact_lock(1);
                CREATE TABLE IF NOT EXISTS world (id int PRIMARY KEY, number int NOT NULL);
                INSERT INTO world SELECT id, id * 7919 %% %1$d FROM generate_series(1, %1$d) AS id ON CONFLICT DO NOTHING;
            END $$',
            self::ROWS,
        ));
    }
}
