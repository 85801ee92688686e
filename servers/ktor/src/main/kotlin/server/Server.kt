package server

import io.ktor.http.HttpStatusCode
import io.ktor.serialization.kotlinx.json.json
import io.ktor.server.application.install
import io.ktor.server.engine.embeddedServer
import io.ktor.server.netty.Netty
import io.ktor.server.plugins.contentnegotiation.ContentNegotiation
import io.ktor.server.response.respond
import io.ktor.server.response.respondText
import io.ktor.server.routing.get
import io.ktor.server.routing.routing
import io.lettuce.core.RedisClient
import kotlinx.coroutines.future.await
import kotlinx.serialization.json.buildJsonObject
import kotlinx.serialization.json.put

private val VALUES = mapOf("perf:first" to "one", "perf:second" to "two", "perf:third" to "three")
private val KEYS = arrayOf("perf:first", "perf:second", "perf:third")

fun main() {
    val redis = System.getenv("REDIS_URL")?.let { RedisClient.create(it).connect().async() }
    redis?.mset(VALUES)
    embeddedServer(Netty, port = System.getenv("PORT").toInt(), host = System.getenv("HOST")) {
        install(ContentNegotiation) { json() }
        routing {
            get("/") { call.respondText("Hello World!") }
            get("/json") { call.respond(buildJsonObject { put("hello", "world") }) }
            get("/redis") {
                val found = redis?.mget(*KEYS)?.await()
                if (found == null) call.respond(HttpStatusCode.ServiceUnavailable)
                else call.respond(buildJsonObject {
                    put("first", found[0].value)
                    put("second", found[1].value)
                    put("third", found[2].value)
                })
            }
        }
    }.start(wait = true)
}
