package server;

import java.util.List;
import java.util.Map;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.data.redis.core.ReactiveStringRedisTemplate;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

@SpringBootApplication
@RestController
public class Server {
  private static final Map<String, String> VALUES =
      Map.of("perf:first", "one", "perf:second", "two", "perf:third", "three");
  private static final List<String> KEYS = List.of("perf:first", "perf:second", "perf:third");

  private final ReactiveStringRedisTemplate redis;

  Server(ReactiveStringRedisTemplate redis) {
    this.redis = redis;
    if (System.getenv("REDIS_URL") != null) redis.opsForValue().multiSet(VALUES).block();
  }

  record Greeting(String hello) {}

  record Three(String first, String second, String third) {}

  @GetMapping(path = "/", produces = "text/plain;charset=utf-8")
  Mono<String> hello() {
    return Mono.just("Hello World!");
  }

  @GetMapping("/json")
  Mono<Greeting> json() {
    return Mono.just(new Greeting("world"));
  }

  @GetMapping("/redis")
  Mono<Three> three() {
    return redis.opsForValue().multiGet(KEYS)
        .map(found -> new Three(found.get(0), found.get(1), found.get(2)));
  }

  public static void main(String[] args) {
    SpringApplication.run(Server.class, args);
  }
}
