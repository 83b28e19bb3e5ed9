// Modules that are loaded once they are needed, so that the first card does not wait for them.

export class Later {
  /** `bring` imports it, `start` is called with it before anybody uses it. */
  constructor(bring, start = () => {}) {
    this.bring = bring;
    this.start = start;
    this.coming = null;
    this.now = null; // the module, once it is here
  }

  /** Call `doing` with it, now or once it has come; null where it does not: then who asks next tries again. */
  async use(doing) {
    if (this.now) return doing(this.now);
    this.coming ||= this.bring();
    let one = null;
    try {
      one = await this.coming;
    } catch {
      this.coming = null;
      return null;
    }
    if (!this.now) this.start(this.now = one);
    return doing(one);
  }
}
