import { PageNotFound } from "@/components/shell/page-problem";

export default function NotFound() {
  return (
    <main>
      <PageNotFound />
    </main>
  );
}
