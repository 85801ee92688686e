package shop;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;

@Path("/items")
public class Items {
  @GET
  @Path("/{id}")
  public String one(String id) {
    return id;
  }

  @GET
  @Path("/all")
  public String all() {
    return "shoe";
  }
}
