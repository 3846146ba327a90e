/** Stands in for the view of an agent's run. */
export default function Later() {
  return <p class="boot">Not here yet.</p>;
}
