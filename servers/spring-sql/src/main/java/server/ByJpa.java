package server;

import org.springframework.context.annotation.Profile;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

@RestController
@Profile("jpa")
class ByJpa {
  private final Articles articles;
  private final Table table;

  ByJpa(Articles articles, Table table) {
    this.articles = articles;
    this.table = table;
  }

  @GetMapping("/row")
  Article row() {
    return articles.findById(table.anyId()).orElseThrow();
  }
}
