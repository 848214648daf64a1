import { redirect } from "next/navigation";
import { paths } from "@/components/paths";

export default function HomePage(): never {
  redirect(paths.runs());
}
