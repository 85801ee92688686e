package server;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;

@Entity
class Article {
  @Id public int id;
  public String title;
  public String author;
  public int price;
}
