import com.sun.jdi.connect.spi.ClosedConnectionException;
import com.sun.jdi.connect.spi.Connection;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.ByteBuffer;

/** What JDI speaks to a JVM on, once both have greeted each other: packets that begin with their length. */
final class Line extends Connection {
  private static final int HEADER = 11;

  private final Socket socket;
  private final DataInputStream in;
  private final OutputStream out;
  private final Object reading = new Object();
  private final Object writing = new Object();

  Line(Socket socket) throws IOException {
    this.socket = socket;
    in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
    out = socket.getOutputStream();
  }

  /** An empty one says that the JVM has gone. */
  @Override
  public byte[] readPacket() throws IOException {
    synchronized (reading) {
      try {
        int first = in.read();
        if (first < 0) return new byte[0];
        int length = first << 24 | in.readUnsignedByte() << 16 | in.readUnsignedShort();
        if (length < HEADER) throw new IOException("a packet of " + length + " bytes");
        byte[] packet = new byte[length];
        ByteBuffer.wrap(packet).putInt(length);
        in.readFully(packet, Integer.BYTES, length - Integer.BYTES);
        return packet;
      } catch (IOException failure) {
        throw told(failure);
      }
    }
  }

  @Override
  public void writePacket(byte[] packet) throws IOException {
    synchronized (writing) {
      try {
        out.write(packet, 0, ByteBuffer.wrap(packet).getInt());
      } catch (IOException failure) {
        throw told(failure);
      }
    }
  }

  private IOException told(IOException failure) {
    return isOpen() ? failure : new ClosedConnectionException("the connection is closed");
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }

  @Override
  public boolean isOpen() {
    return !socket.isClosed();
  }
}
