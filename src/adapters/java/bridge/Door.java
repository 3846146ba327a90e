import com.sun.jdi.Bootstrap;
import com.sun.jdi.VirtualMachine;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The port at which the program's JVM calls. The JDK's own listener takes any caller; this one only takes a JVM of our user. */
final class Door {
  private static final byte[] GREETING = "JDWP-Handshake".getBytes(StandardCharsets.US_ASCII);
  private static final int GREETING_MS = 10_000;
  private static final String ESTABLISHED = "01";

  private final ServerSocket server;

  Door() throws IOException {
    server = new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"));
  }

  int port() {
    return server.getLocalPort();
  }

  /** Whoever else calls is hung up on before a word is taken. Nobody can call after the JVM. */
  VirtualMachine awaitProgram() throws IOException {
    while (true) {
      Socket caller = server.accept();
      if (isOurs(caller) && isJvm(caller)) {
        server.close();
        return Bootstrap.virtualMachineManager().createVirtualMachine(new Line(caller));
      }
      caller.close();
    }
  }

  private static boolean isJvm(Socket caller) {
    try {
      caller.setTcpNoDelay(true);
      caller.setSoTimeout(GREETING_MS);
      caller.getOutputStream().write(GREETING);
      byte[] said = new byte[GREETING.length];
      new DataInputStream(caller.getInputStream()).readFully(said);
      caller.setSoTimeout(0);
      return Arrays.equals(said, GREETING);
    } catch (IOException notOne) {
      return false;
    }
  }

  /** By the kernel's tables, which only Linux has. A socket that its owner has closed says 0 there, so only one that stands counts. */
  private static boolean isOurs(Socket caller) throws IOException {
    Path self = Path.of("/proc/self");
    if (!Files.exists(self)) return true;
    List<String> owners = new ArrayList<>();
    for (String table : new String[] {"tcp", "tcp6"}) {
      for (String line : lines(self.resolve("net").resolve(table))) {
        String[] row = line.trim().split("\\s+");
        boolean stands = row.length > 9 && row[3].equals(ESTABLISHED) && !row[9].equals("0");
        if (stands && isLoopback(row[1], caller.getPort()) && isLoopback(row[2], caller.getLocalPort())) owners.add(row[7]);
      }
    }
    return owners.size() == 1 && owners.get(0).equals(Files.getAttribute(self, "unix:uid").toString());
  }

  private static List<String> lines(Path table) throws IOException {
    try {
      return Files.readAllLines(table, StandardCharsets.ISO_8859_1);
    } catch (NoSuchFileException noIpv6) {
      return List.of();
    }
  }

  private static boolean isLoopback(String address, int port) {
    return address.matches("(0{24}|0{16}FFFF0000)?0100007F:" + String.format("%04X", port));
  }
}
