import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.stream.LongStream;

/** An agent: the other end of preload-channel.js in a JVM answers how many bytes its threads allocated. */
public class AllocatedBytes {
    public static void premain(String options) {
        Thread thread = new Thread(AllocatedBytes::answer, "allocated-bytes");
        thread.setDaemon(true);
        thread.start();
    }

    private static void answer() {
        ByteBuffer word = ByteBuffer.allocate(1);
        try (SocketChannel channel = SocketChannel.open(address())) {
            // Each answer goes on from the last one: a thread hears of a window only after it began.
            for (long last = -1; channel.read(word) == 1; word.clear()) {
                long now = allocated();
                if (word.get(0) == 'e')
                    channel.write(ByteBuffer.wrap(("{\"allocatedBytes\":" + (now - last) + "}\n").getBytes()));
                if (word.get(0) == 'e' || last < 0) last = now;
            }
        } catch (Exception error) {
            // Nobody listens any more, or this JVM has no such sockets.
        }
    }

    /** By reflection: Java 16 brought them. */
    private static SocketAddress address() throws Exception {
        Class<?> type = Class.forName("java.net.UnixDomainSocketAddress");
        String path = System.getenv("PERF_ACTION_COUNTS");
        return (SocketAddress) type.getMethod("of", String.class).invoke(null, path);
    }

    /** By all threads but this one. Before Java 21 nobody knows about those that ended. */
    private static long allocated() throws Exception {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long own = threads.getThreadAllocatedBytes(Thread.currentThread().getId());
        try {
            return (long) ThreadMXBean.class.getMethod("getTotalThreadAllocatedBytes").invoke(threads) - own;
        } catch (NoSuchMethodException error) {
            long[] bytes = threads.getThreadAllocatedBytes(threads.getAllThreadIds());
            return LongStream.of(bytes).sum() - own;
        }
    }
}
