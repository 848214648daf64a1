/** Whether the rail is narrow: "collapsed" or "open". */
export const RAIL_COOKIE = "switchyard-rail";
