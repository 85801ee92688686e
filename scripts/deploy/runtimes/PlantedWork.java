import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.concurrent.locks.LockSupport;

/** An agent: a thread of its own spends PLANTED_SHARE more CPU on all that a JVM does, a little later. */
public class PlantedWork {
    private static final long MILLISECOND = 1_000_000;

    public static void premain(String options) {
        Thread thread = new Thread(PlantedWork::work, "planted-work");
        thread.setDaemon(true);
        thread.start();
    }

    private static void work() {
        double share = Double.parseDouble(System.getenv("PLANTED_SHARE"));
        OperatingSystemMXBean process = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        while (true) {
            long all = process.getProcessCpuTime();
            long own = threads.getCurrentThreadCpuTime();
            long wanted = (long) (share * (all - own));
            while (own < wanted) own = threads.getCurrentThreadCpuTime();
            LockSupport.parkNanos(MILLISECOND);
        }
    }
}
