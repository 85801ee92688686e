package server;

import org.springframework.context.annotation.Profile;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

@RestController
@Profile("jdbc")
class ByJdbc {
  private static final String ONE = "SELECT id, title, author, price FROM article WHERE id = ?";

  private final JdbcClient jdbc;
  private final Table table;

  ByJdbc(JdbcClient jdbc, Table table) {
    this.jdbc = jdbc;
    this.table = table;
  }

  record Row(int id, String title, String author, int price) {}

  @GetMapping("/row")
  Row row() {
    return jdbc.sql(ONE).param(table.anyId()).query(Row.class).single();
  }
}
