def handlers():
    try:
        risky()
    except ValueError:
        pass
    except (KeyError, TypeError) as e:
        print(e)
        raise
    except:
        raise Other() from None
    else:
        fine()
    finally:
        cleanup()


def leaving(xs):
    for x in xs:
        try:
            if x == 1:
                continue
            if x == 2:
                break
            return f(x)
        finally:
            g()


def overriding():
    try:
        return value()
    finally:
        return 2


def nested():
    try:
        try:
            raise A
        except A as a:
            return a
    except B:
        assert a, "message"
