export default function Later() {
  return <p class="boot">Not here yet.</p>;
}
