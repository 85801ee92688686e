package server;

import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.redis.client.Redis;
import io.vertx.redis.client.RedisAPI;
import io.vertx.redis.client.RedisOptions;
import java.util.List;

/** One of these runs on each event loop, with a connection to Redis of its own. */
public class Server extends VerticleBase {
  private static final List<String> VALUES =
      List.of("perf:first", "one", "perf:second", "two", "perf:third", "three");
  private static final List<String> KEYS = List.of("perf:first", "perf:second", "perf:third");

  @Override
  public Future<?> start() {
    Router router = Router.router(vertx);
    router
        .get("/")
        .handler(
            context ->
                context.response().putHeader("content-type", "text/plain; charset=utf-8").end("Hello World!"));
    router.get("/json").handler(context -> context.json(new JsonObject().put("hello", "world")));
    String address = System.getenv("REDIS_URL");
    Future<?> ready = address == null ? Future.succeededFuture() : redis(router, address);
    int port = Integer.parseInt(System.getenv("PORT"));
    return ready.compose(
        done ->
            vertx.createHttpServer().requestHandler(router).listen(port, System.getenv("HOST")));
  }

  private Future<?> redis(Router router, String address) {
    // All requests of an event loop go down one connection, so this is how many may wait for its answers.
    RedisOptions options = new RedisOptions().setConnectionString(address).setMaxWaitingHandlers(100_000);
    return Redis.createClient(vertx, options)
        .connect()
        .compose(
            connection -> {
              RedisAPI redis = RedisAPI.api(connection);
              router
                  .get("/redis")
                  .handler(
                      context ->
                          redis
                              .mget(KEYS)
                              .map(
                                  found ->
                                      new JsonObject()
                                          .put("first", found.get(0).toString())
                                          .put("second", found.get(1).toString())
                                          .put("third", found.get(2).toString()))
                              .onSuccess(context::json)
                              .onFailure(context::fail));
              return redis.mset(VALUES);
            });
  }

  public static void main(String[] args) {
    int loops = Runtime.getRuntime().availableProcessors();
    Vertx.vertx()
        .deployVerticle(Server.class, new DeploymentOptions().setInstances(loops))
        .onFailure(
            error -> {
              error.printStackTrace();
              System.exit(1);
            });
  }
}
