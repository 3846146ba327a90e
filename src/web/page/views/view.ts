/** What a view is: a component that gets what its address names, and the query. */
import type { ComponentType } from "preact";

export interface ViewProps {
  params: Readonly<Record<string, string>>;
  query: Readonly<Record<string, string>>;
}

export type View = ComponentType<ViewProps>;
