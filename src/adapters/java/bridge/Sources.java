import com.sun.jdi.AbsentInformationException;
import com.sun.jdi.Location;
import com.sun.jdi.ReferenceType;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** From classes to source files and back: class files name their source, but not its folder. */
final class Sources {
  private static final Pattern LIBRARY = Pattern.compile("(java|javax|jdk|sun|com\\.sun|kotlin|scala)\\..*");
  /** Filters of JDI for the same. */
  static final String[] LIBRARIES = {"java.*", "javax.*", "jdk.*", "sun.*", "com.sun.*"};

  private final List<Path> roots = new ArrayList<>();

  void addRoot(String folder) {
    roots.add(Path.of(folder));
  }

  /** A file that was named to us shows a root, if its folder fits the package. */
  void learn(String file, ReferenceType type) {
    Path path = Path.of(file);
    Path within = within(type);
    if (within == null || !path.endsWith(within)) return;
    Path root = path;
    for (int i = 0; i < within.getNameCount(); i++) root = root.getParent();
    if (root != null && !roots.contains(root)) roots.add(0, root);
  }

  boolean isOf(String file, ReferenceType type) {
    Path within = within(type);
    return within != null && Path.of(file).endsWith(within);
  }

  static boolean isLibrary(ReferenceType type) {
    return LIBRARY.matcher(type.name()).matches();
  }

  /** The file, if it is on this machine. */
  String file(Location location) {
    Path within = within(location.declaringType());
    if (within == null) return null;
    for (Path root : roots) {
      Path file = root.resolve(within);
      if (Files.isRegularFile(file)) return file.toString();
    }
    return null;
  }

  /** {@code a/b/Main.java} */
  private static Path within(ReferenceType type) {
    try {
      String name = type.sourceName();
      int dot = type.name().lastIndexOf('.');
      return dot < 0 ? Path.of(name) : Path.of(type.name().substring(0, dot).replace('.', '/'), name);
    } catch (AbsentInformationException unknown) {
      return null;
    }
  }
}
