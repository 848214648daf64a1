import { LazyPageNotFound } from "@/components/shell/lazy-page-problem";

export default function NotFound() {
  return (
    <main>
      <LazyPageNotFound />
    </main>
  );
}
