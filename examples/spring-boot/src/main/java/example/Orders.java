package example;

import java.util.List;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

@SpringBootApplication
@RestController
public class Orders {
  record Order(String id, List<String> items) {}

  @GetMapping("/orders/{id}")
  Order one(@PathVariable String id) {
    return new Order(id, List.of("shoe", "hat"));
  }

  public static void main(String[] args) {
    SpringApplication.run(Orders.class, args);
  }
}
