package shop;

import java.util.List;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

@SpringBootApplication
@RestController
@RequestMapping("/items")
public class Items {
  public static void main(String[] args) {
    SpringApplication.run(Items.class, args);
  }

  @GetMapping("/find")
  List<String> find(@RequestParam String name) {
    return List.of(name);
  }

  @GetMapping("/all")
  List<String> all() {
    return List.of("shoe", "hat");
  }
}
