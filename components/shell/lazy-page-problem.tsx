"use client";

import dynamic from "next/dynamic";

/** Next sends the not-found page with every page; this way only its address is sent. */
export const LazyPageNotFound = dynamic(() => import("./page-problem").then(({ PageNotFound }) => PageNotFound));
