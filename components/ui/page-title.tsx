/** The title of the window; React lifts it into the head and takes it away with the page. */
export function PageTitle({ title }: { title: string }) {
  return <title>{`${title} · Switchyard`}</title>;
}
