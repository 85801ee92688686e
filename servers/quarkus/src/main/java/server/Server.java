package server;

import io.quarkus.redis.datasource.ReactiveRedisDataSource;
import io.quarkus.redis.datasource.value.ReactiveValueCommands;
import io.quarkus.runtime.StartupEvent;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import java.util.Map;

@Path("/")
@ApplicationScoped
public class Server {
  private static final Map<String, String> VALUES =
      Map.of("perf:first", "one", "perf:second", "two", "perf:third", "three");
  private static final String[] KEYS = {"perf:first", "perf:second", "perf:third"};

  private final ReactiveValueCommands<String, String> redis;

  Server(ReactiveRedisDataSource source) {
    redis = source.value(String.class);
  }

  void seed(@Observes StartupEvent start) {
    if (System.getenv("REDIS_URL") != null) redis.mset(VALUES).await().indefinitely();
  }

  public record Greeting(String hello) {}

  public record Three(String first, String second, String third) {}

  @GET
  @Produces("text/plain; charset=utf-8")
  public Uni<String> hello() {
    return Uni.createFrom().item("Hello World!");
  }

  @GET
  @Path("json")
  public Uni<Greeting> json() {
    return Uni.createFrom().item(new Greeting("world"));
  }

  @GET
  @Path("redis")
  public Uni<Three> three() {
    return redis.mget(KEYS).map(found -> new Three(found.get(KEYS[0]), found.get(KEYS[1]), found.get(KEYS[2])));
  }
}
