package server;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.lettuce.core.KeyValue;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.undertow.Handlers;
import io.undertow.Undertow;
import io.undertow.server.HttpHandler;
import io.undertow.server.HttpServerExchange;
import io.undertow.util.Headers;
import io.undertow.util.SameThreadExecutor;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;

public class Server {
  private static final Map<String, String> VALUES =
      Map.of("perf:first", "one", "perf:second", "two", "perf:third", "three");
  private static final String[] KEYS = {"perf:first", "perf:second", "perf:third"};
  private static final ObjectMapper MAPPER = new ObjectMapper();

  record Greeting(String hello) {}

  record Three(String first, String second, String third) {}

  public static void main(String[] args) {
    String address = System.getenv("REDIS_URL");
    HttpHandler routes =
        Handlers.path()
            .addExactPath("/", Server::hello)
            .addExactPath("/json", exchange -> send(exchange, new Greeting("world")))
            .addExactPath("/redis", address == null ? Server::missing : redis(address));
    int port = Integer.parseInt(System.getenv("PORT"));
    Undertow.builder().addHttpListener(port, System.getenv("HOST")).setHandler(routes).build().start();
  }

  private static void hello(HttpServerExchange exchange) {
    exchange.getResponseHeaders().put(Headers.CONTENT_TYPE, "text/plain; charset=utf-8");
    exchange.getResponseSender().send("Hello World!");
  }

  private static void missing(HttpServerExchange exchange) {
    exchange.setStatusCode(503);
  }

  /** No thread waits for Redis: the I/O thread goes on, and Lettuce's answers. */
  private static HttpHandler redis(String address) {
    RedisAsyncCommands<String, String> redis = RedisClient.create(address).connect().async();
    redis.mset(VALUES);
    return exchange ->
        exchange.dispatch(
            SameThreadExecutor.INSTANCE,
            () -> redis.mget(KEYS).whenComplete((found, error) -> answer(exchange, found)));
  }

  private static void answer(HttpServerExchange exchange, List<KeyValue<String, String>> found) {
    if (found == null) {
      exchange.setStatusCode(502).endExchange();
      return;
    }
    List<String> values = found.stream().map(KeyValue::getValue).toList();
    send(exchange, new Three(values.get(0), values.get(1), values.get(2)));
  }

  private static void send(HttpServerExchange exchange, Object value) {
    try {
      exchange.getResponseHeaders().put(Headers.CONTENT_TYPE, "application/json");
      exchange.getResponseSender().send(ByteBuffer.wrap(MAPPER.writeValueAsBytes(value)));
    } catch (java.io.IOException error) {
      exchange.setStatusCode(500).endExchange();
    }
  }
}
