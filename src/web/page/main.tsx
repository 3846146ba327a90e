/**
 * The page. Order: `state/` (link to the server, addresses, keys, what the server said), `parts/` (what views are made of), `views/` (one
 * folder or file a view, loaded when needed), `agent/` (the view of an agent's run), `styles/`.
 */
import "./styles/index.css";
import { render } from "preact";
import { Shell } from "./shell.tsx";
import { listenForKeys } from "./state/keys.ts";
import { connect } from "./state/link.ts";
import { followLinks } from "./state/router.ts";
import { watchNow } from "./state/sessions.ts";
import { applyTheme } from "./state/settings.ts";

applyTheme();
followLinks();
listenForKeys();
watchNow();
void connect();
const app = document.getElementById("app");
if (app !== null) {
  app.replaceChildren();
  render(<Shell />, app);
}
