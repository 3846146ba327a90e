import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** DAP messages on a socket. */
final class Wire {
  private final InputStream in;
  private final OutputStream out;
  private int seq = 1;

  Wire(String host, int port) throws IOException {
    Socket socket = new Socket(host, port);
    socket.setTcpNoDelay(true);
    in = new BufferedInputStream(socket.getInputStream());
    out = new BufferedOutputStream(socket.getOutputStream());
  }

  /** The next request; null when the other side has gone. */
  @SuppressWarnings("unchecked")
  Map<String, Object> read() throws IOException {
    int length = -1;
    for (String line = line(); line != null && !line.isEmpty(); line = line()) {
      if (line.toLowerCase().startsWith("content-length:")) length = Integer.parseInt(line.substring(15).trim());
    }
    if (length < 0) return null;
    byte[] body = in.readNBytes(length);
    if (body.length < length) throw new EOFException();
    return (Map<String, Object>) Json.parse(new String(body, StandardCharsets.UTF_8));
  }

  private String line() throws IOException {
    StringBuilder line = new StringBuilder();
    for (int c = in.read(); c != '\n'; c = in.read()) {
      if (c < 0) return null;
      if (c != '\r') line.append((char) c);
    }
    return line.toString();
  }

  void event(String name, Map<String, Object> body) {
    send(Json.map("type", "event", "event", name, "body", body));
  }

  void answer(Map<String, Object> request, Object body) {
    send(response(request, true, "body", body));
  }

  void refuse(Map<String, Object> request, String why) {
    send(response(request, false, "message", why));
  }

  void say(String category, String text) {
    event("output", Json.map("category", category, "output", text + "\n"));
  }

  private static Map<String, Object> response(Map<String, Object> request, boolean success, String key, Object value) {
    int to = ((Number) request.get("seq")).intValue();
    return Json.map(
        "type", "response", "request_seq", to, "success", success, "command", request.get("command"), key, value);
  }

  private synchronized void send(Map<String, Object> message) {
    message.put("seq", seq++);
    byte[] body = Json.write(message).getBytes(StandardCharsets.UTF_8);
    try {
      out.write(("Content-Length: " + body.length + "\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
      out.write(body);
      out.flush();
    } catch (IOException gone) {
      // the reader sees the end of the connection
    }
  }
}
