package server;

import java.util.concurrent.ThreadLocalRandom;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Several servers start at once; the first makes the table, the others find it. */
@Component
class Table {
  private static final int ROWS = 100_000;

  Table(JdbcClient jdbc, PlatformTransactionManager transactions) {
    new TransactionTemplate(transactions).executeWithoutResult(status -> make(jdbc));
  }

  int anyId() {
    return ThreadLocalRandom.current().nextInt(1, ROWS + 1);
  }

  private static void make(JdbcClient jdbc) {
    jdbc.sql("SELECT pg_advisory_xact_lock(1)").query().singleRow();
    jdbc.sql(
            """
            CREATE TABLE IF NOT EXISTS article
              (id int PRIMARY KEY, title text NOT NULL, author text NOT NULL, price int NOT NULL)""")
        .update();
    if (jdbc.sql("SELECT count(*) FROM article").query(Integer.class).single() >= ROWS) return;
    jdbc.sql(
            """
            INSERT INTO article SELECT id, 'Article ' || id, 'Author ' || id % 1000, id * 7919 % 10000
            FROM generate_series(1, ?) AS id ON CONFLICT DO NOTHING""")
        .param(ROWS)
        .update();
    jdbc.sql("ANALYZE article").update();
  }
}
